// Package folder keeps each owner's folder of files for people in step with
// memory.
//
//	<data>/owners/<owner id>/MEMORY.md           what is remembered, to read and to edit
//	<data>/owners/<owner id>/SOUL.md             the assistant's character
//	<data>/owners/<owner id>/HEARTBEAT.md        what to look after unasked
//	<data>/owners/<owner id>/prompts/reflect.md  what to look for when reading back
//
// MEMORY.md has one generated section. What a hand changes there comes back as
// the owner's own Proposals, line by line, against the copy of what was last
// written; then the file is written anew. Everything around the section is the
// owner's prose: it is kept byte for byte, and is not memory. The other files
// are made once and never written again.
//
// The files are for people and never the truth: a lost or broken one changes
// nothing in memory, and is made anew. No tool of a model writes here.
package folder
