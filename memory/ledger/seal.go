package ledger

import (
	"encoding/json"

	"nacre"
	"nacre/memory/vault"
)

// sealed is content on its way into a row: ciphertext and the number of the
// record whose key opens it.
type sealed struct {
	record uint64
	data   []byte
}

// seal encodes and encrypts content for a new row of a table. It runs outside
// the writer, so that sealing takes no turn of others.
func (l *Ledger) seal(owner nacre.OwnerID, table string, revision int64, content any) (sealed, error) {
	plain, err := json.Marshal(content)
	if err != nil {
		return sealed{}, err
	}
	record, err := l.vault.Next()
	if err != nil {
		return sealed{}, err
	}
	data, err := l.vault.Seal(vault.Binding{Owner: owner, Table: table, Record: record, Revision: revision}, plain)
	return sealed{record, data}, err
}

// unseal decrypts and decodes the content of a row.
func (l *Ledger) unseal(owner nacre.OwnerID, table string, revision int64, s sealed, into any) error {
	plain, err := l.vault.Unseal(vault.Binding{Owner: owner, Table: table, Record: s.record, Revision: revision}, s.data)
	if err != nil {
		return err
	}
	return json.Unmarshal(plain, into)
}
