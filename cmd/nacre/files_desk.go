package main

import (
	"context"

	"nacre"
	"nacre/memory/folder"
	"nacre/web"
)

// filesDesk is the files of an owner that steer the assistant, in their own hand.
// It is a web.Files.
type filesDesk struct {
	app   *app
	owner nacre.OwnerID
}

// Files implements web.Desk.
func (a *app) Files(h web.Hand) web.Files { return filesDesk{a, a.ownerOf(h)} }

// Read implements web.Files.
func (f filesDesk) Read(context.Context) ([]web.File, error) {
	list, err := f.app.folder.Owns(f.owner)
	files := make([]web.File, len(list))
	for i, own := range list {
		files[i] = fileOf(own)
	}
	return files, err
}

// Write implements web.Files.
func (f filesDesk) Write(_ context.Context, w web.FileWrite) (web.File, error) {
	own, err := f.app.folder.Write(f.owner, w.Name, w.Text, w.Was)
	if err == nil {
		f.app.page.Changed(f.owner, web.TopicFiles)
	}
	return fileOf(own), err
}

func fileOf(o folder.Own) web.File {
	return web.File{Name: o.Name, Text: o.Text, Default: o.Default, Original: o.Original, Longest: folder.MaxText, Hash: o.Hash}
}
