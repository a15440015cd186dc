package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"nacre"
	"nacre/memory/folder"
)

// fileSetting begins the names of settings that hold an owner's files while they are in
// a snapshot.
const fileSetting = "file "

// storeFiles puts the files that owners write themselves into the database, sealed, so
// that a snapshot has them. A forgetting that cuts them there cuts them here; what of one
// waits until the owner allows to cut their files is left out already.
func (k *keeper) storeFiles(ctx context.Context) error {
	owners, err := k.app.ownerIDs(ctx)
	if err != nil {
		return err
	}
	waiting, err := k.app.ledger.Unfinished(ctx)
	if err != nil {
		return err
	}
	for _, owner := range owners {
		if k.app.folder.Exists(owner) {
			err = errors.Join(err, k.storeFilesOf(ctx, owner, func(text string) string {
				for _, u := range waiting {
					if u.Owner == owner && u.Erasure.Needle != nil {
						text, _ = u.Erasure.Needle.Redact(text)
					}
				}
				return text
			}))
		}
	}
	return err
}

// storeFilesOf does so for one owner, without what clean takes out.
func (k *keeper) storeFilesOf(ctx context.Context, owner nacre.OwnerID, clean func(string) string) error {
	list, err := k.app.folder.Owns(owner)
	if err != nil {
		return err
	}
	kept, err := k.app.ledger.OwnSettings(ctx, owner)
	if err != nil {
		return err
	}
	set := map[string]json.RawMessage{}
	for _, f := range list {
		name, text := fileSetting+f.Name, json.RawMessage(nil)
		if !f.Default {
			if text, err = json.Marshal(clean(f.Text)); err != nil {
				return err
			}
		}
		if string(kept[name]) != string(text) {
			set[name] = text
		}
	}
	if len(set) == 0 {
		return nil
	}
	return k.app.ledger.PutSettings(ctx, owner, set)
}

// unpackFiles writes an owner's files as a snapshot had them, where nobody wrote any
// since.
func (k *keeper) unpackFiles(ctx context.Context, owner nacre.OwnerID) error {
	kept, err := k.app.ledger.OwnSettings(ctx, owner)
	if err != nil {
		return err
	}
	list, err := k.app.folder.Owns(owner)
	if err != nil {
		return err
	}
	at := map[string]folder.Own{}
	for _, f := range list {
		at[f.Name] = f
	}
	for name, value := range kept {
		file, ours := strings.CutPrefix(name, fileSetting)
		var text string
		if f, known := at[file]; !ours || !known || !f.Default || json.Unmarshal(value, &text) != nil {
			continue
		}
		if _, err := k.app.folder.Write(owner, file, text, at[file].Hash); err != nil {
			return err
		}
	}
	return nil
}
