package vault

import (
	"testing"

	"nacre"
)

func TestSecret(t *testing.T) {
	v := newVault(t, nil, "ana", "ben", Installation)
	secret := func(owner nacre.OwnerID, purpose string) [32]byte {
		t.Helper()
		s, err := v.Secret(owner, purpose)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	ana := secret("ana", "tombstones")
	others := map[[32]byte]string{ana: "the first", {}: "nothing"}
	for name, s := range map[string][32]byte{
		"another purpose": secret("ana", "tombstone"), "no purpose": secret("ana", ""),
		"another owner": secret("ben", "tombstones"), "the installation's": secret(Installation, "tombstones"),
	} {
		if other, known := others[s]; known {
			t.Errorf("%s is the same as %s", name, other)
		}
		others[s] = name
	}

	for n := range uint64(100) {
		if err := v.Puncture("ana", n+1); err != nil {
			t.Fatal(err)
		}
	}
	v = reload(t, v, nil)
	if again := secret("ana", "tombstones"); again != ana {
		t.Error("the secret is another after records were destroyed")
	}
	if err := v.Puncture("ana", secretRecord); nacre.KindOf(err) != nacre.Invalid {
		t.Errorf("the record of secrets can be destroyed: %v", err)
	}
	if _, err := v.Seal(Binding{Owner: "ana", Table: "inbox", Record: secretRecord}, nil); nacre.KindOf(err) != nacre.Invalid {
		t.Errorf("something can be sealed under the key of secrets: %v", err)
	}
	if err := v.DropOwner("ana"); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Secret("ana", "tombstones"); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("without keys: %v", err)
	}
	if err := v.AddOwners("ana"); err != nil {
		t.Fatal(err)
	}
	if secret("ana", "tombstones") == ana {
		t.Error("the secret came back with the owner")
	}
}
