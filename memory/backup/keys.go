package backup

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"filippo.io/age"

	"nacre"
)

// maxKeys bounds how much of a key bundle is read, far above what any has.
const maxKeys = 256 << 20

// Keys is where the key bundle is.
func (s Set) Keys() string { return filepath.Join(s.Dir, keyName) }

// KeysAt tells when the key bundle was written; zero if there is none.
func (s Set) KeysAt() time.Time {
	st, err := os.Stat(s.Keys())
	if err != nil {
		return time.Time{}
	}
	return st.ModTime()
}

// NewRecovery makes a recovery key: the secret, which goes to the operator alone, and
// the recipient to which key bundles are encrypted, which is no secret.
func NewRecovery() (secret, recipient string, err error) {
	id, err := age.GenerateX25519Identity()
	if err != nil {
		return "", "", err
	}
	return id.String(), id.Recipient().String(), nil
}

// PutKeys encrypts a key bundle and puts it in the place of the one before, whose bytes
// are overwritten. After an error, Transient and in a sentence, either is whole, and the
// call is to be made again.
func (s Set) PutKeys(bundle []byte, recipient string) error {
	to, err := age.ParseX25519Recipient(recipient)
	if err != nil {
		return nacre.Errorf(nacre.Invalid, "the recovery key is none (%w); make another with nacre backup key --replace", err)
	}
	var sealed bytes.Buffer
	w, err := age.Encrypt(&sealed, to)
	if err == nil {
		_, err = w.Write(bundle)
		err = errors.Join(err, w.Close())
	}
	if err == nil {
		err = replace(s.Keys(), sealed.Bytes())
	}
	if err != nil {
		return nacre.Errorf(nacre.Transient, "the key bundle %s cannot be written (%w); see that its disk has space and that this user may write there", s.Keys(), err)
	}
	return nil
}

// replace writes a file anew under its name, compares what is on the disk, and leaves
// nothing of the old bytes. The old file is opened first, so that it can be overwritten
// once it has no name any more: a crash before that leaves one of the two whole.
func replace(path string, content []byte) error {
	old, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil {
		defer old.Close()
	}
	part := path + ".part"
	if err := write(part, content); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	return errors.Join(dir.Sync(), overwrite(old))
}

// write writes a file, durably, and reads it again.
func write(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(content); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	again := make([]byte, len(content))
	if _, err := f.ReadAt(again, 0); err != nil {
		return err
	}
	if !bytes.Equal(again, content) {
		return errors.New("the disk holds something else than was written")
	}
	return nil
}

// overwrite puts zeros in the place of a file that has no name any more; nil is none.
func overwrite(f *os.File) error {
	if f == nil {
		return nil
	}
	st, err := f.Stat()
	if err != nil {
		return err
	}
	_, err = f.WriteAt(make([]byte, st.Size()), 0)
	return errors.Join(err, f.Sync())
}

// OpenKeys decrypts a key bundle by the recovery key, which may stand among comments and
// blank lines. Denied if it was encrypted to another, Invalid if it is damaged or no
// bundle, or the key is none.
func OpenKeys(r io.Reader, secret string) ([]byte, error) {
	ids, err := age.ParseIdentities(strings.NewReader(secret))
	if err != nil {
		return nil, nacre.Errorf(nacre.Invalid, "that is no recovery key; it begins with AGE-SECRET-KEY-1")
	}
	var other *age.NoIdentityMatchError
	plain, err := age.Decrypt(r, ids...)
	if errors.As(err, &other) {
		return nil, nacre.Errorf(nacre.Denied, "this recovery key does not open the key bundle; it was made for another")
	}
	if err == nil {
		var bundle []byte
		if bundle, err = io.ReadAll(io.LimitReader(plain, maxKeys)); err == nil {
			return bundle, nil
		}
	}
	return nil, nacre.Errorf(nacre.Invalid, "the key bundle is damaged (%w); take another copy of keys.age", err)
}

// CheckRecipient refuses, as Invalid, what nothing can be encrypted to.
func CheckRecipient(recipient string) error {
	if _, err := age.ParseX25519Recipient(recipient); err != nil {
		return nacre.Errorf(nacre.Invalid, "%.80q is nothing to encrypt key bundles to; make a recovery key with nacre backup key", recipient)
	}
	return nil
}
