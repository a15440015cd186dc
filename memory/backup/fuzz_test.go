package backup_test

import (
	"bytes"
	"os"
	"testing"

	"nacre"
	"nacre/memory/backup"
)

// FuzzOpenKeys: whatever lies where the key bundle should be opens to what was sealed, or
// is refused in a sentence; nothing else comes out.
func FuzzOpenKeys(f *testing.F) {
	const secret = "AGE-SECRET-KEY-17VW80W5JWF8TDRNSCN5AVTLV8QYYNDMFAMVP5LZDPSV77VNE8RDS26M45Q" // of this test alone
	const recipient = "age14fnwwl4mrek0h5xk9vp7u7vtzvrf8dmq3q6pasrm0s2nv0n23vdq93hmn8"
	s := backup.Set{Dir: f.TempDir()}
	if err := s.PutKeys([]byte("the bundle"), recipient); err != nil {
		f.Fatal(err)
	}
	sealed, err := os.ReadFile(s.Keys())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sealed, secret)
	f.Add(sealed[:len(sealed)/2], "# mine\n"+secret)
	f.Add([]byte("age-encryption.org/v1\n-> scrypt aaaa 18\nbbbb\n--- cccc\n"), secret)
	f.Add(sealed, "age1nothing")
	f.Fuzz(func(t *testing.T, content []byte, key string) {
		got, err := backup.OpenKeys(bytes.NewReader(content), key)
		switch k := nacre.KindOf(err); {
		case err == nil && string(got) != "the bundle":
			t.Errorf("%q comes out", got)
		case err != nil && k != nacre.Denied && k != nacre.Invalid:
			t.Errorf("refused with %v", err)
		}
	})
}
