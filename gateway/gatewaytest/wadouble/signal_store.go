package wadouble

import (
	"context"

	"go.mau.fi/libsignal/ecc"
	groups "go.mau.fi/libsignal/groups/state/record"
	"go.mau.fi/libsignal/keys/identity"
	"go.mau.fi/libsignal/logger"
	"go.mau.fi/libsignal/protocol"
	"go.mau.fi/libsignal/state/record"
	signal "go.mau.fi/libsignal/state/store"
	"go.mau.fi/libsignal/util/keyhelper"
	"go.mau.fi/whatsmeow/store"
)

// keyStore keeps a phone's keys in memory. Records lie there serialized, so that
// what the library changes in one counts only once it is stored.
type keyStore struct {
	signal.SignalProtocol // nil: the library declares methods that it never calls

	registration uint32
	identity     *identity.KeyPair
	signed       *record.SignedPreKey
	preKeys      map[uint32]*ecc.ECKeyPair
	lastPreKey   uint32
	sessions     map[string][]byte // by Signal address
	senders      map[string][]byte // by group and Signal address
}

func newKeyStore() *keyStore {
	pair, err := keyhelper.GenerateIdentityKeyPair()
	must(err)
	signed, err := keyhelper.GenerateSignedPreKey(pair, 1, store.SignalProtobufSerializer.SignedPreKeyRecord)
	must(err)
	return &keyStore{
		registration: keyhelper.GenerateRegistrationID(),
		identity:     pair,
		signed:       signed,
		preKeys:      map[uint32]*ecc.ECKeyPair{},
		sessions:     map[string][]byte{},
		senders:      map[string][]byte{},
	}
}

func (s *keyStore) newPreKey() (uint32, *ecc.ECKeyPair) {
	pair, err := ecc.GenerateKeyPair()
	must(err)
	s.lastPreKey++
	s.preKeys[s.lastPreKey] = pair
	return s.lastPreKey, pair
}

func (s *keyStore) GetIdentityKeyPair() *identity.KeyPair { return s.identity }

func (s *keyStore) GetLocalRegistrationID() uint32 { return s.registration }

// SaveIdentity keeps nothing: a phone shows its person that somebody has new keys,
// and goes on with them.
func (s *keyStore) SaveIdentity(context.Context, *protocol.SignalAddress, *identity.Key) error {
	return nil
}

func (s *keyStore) IsTrustedIdentity(context.Context, *protocol.SignalAddress, *identity.Key) (bool, error) {
	return true, nil
}

func (s *keyStore) LoadPreKey(_ context.Context, id uint32) (*record.PreKey, error) {
	pair := s.preKeys[id]
	if pair == nil {
		return nil, nil
	}
	return record.NewPreKey(id, pair, store.SignalProtobufSerializer.PreKeyRecord), nil
}

func (s *keyStore) RemovePreKey(_ context.Context, id uint32) error {
	delete(s.preKeys, id)
	return nil
}

func (s *keyStore) LoadSignedPreKey(_ context.Context, id uint32) (*record.SignedPreKey, error) {
	if id != s.signed.ID() {
		return nil, nil
	}
	return s.signed, nil
}

func (s *keyStore) LoadSession(_ context.Context, with *protocol.SignalAddress) (*record.Session, error) {
	serializer := store.SignalProtobufSerializer
	kept := s.sessions[with.String()]
	if kept == nil {
		return record.NewSession(serializer.Session, serializer.State), nil
	}
	return record.NewSessionFromBytes(kept, serializer.Session, serializer.State)
}

func (s *keyStore) StoreSession(_ context.Context, with *protocol.SignalAddress, r *record.Session) error {
	s.sessions[with.String()] = r.Serialize()
	return nil
}

func (s *keyStore) ContainsSession(_ context.Context, with *protocol.SignalAddress) (bool, error) {
	return s.sessions[with.String()] != nil, nil
}

func (s *keyStore) LoadSenderKey(_ context.Context, of *protocol.SenderKeyName) (*groups.SenderKey, error) {
	serializer := store.SignalProtobufSerializer
	kept := s.senders[senderOf(of)]
	if kept == nil {
		return groups.NewSenderKey(serializer.SenderKeyRecord, serializer.SenderKeyState), nil
	}
	return groups.NewSenderKeyFromBytes(kept, serializer.SenderKeyRecord, serializer.SenderKeyState)
}

func (s *keyStore) StoreSenderKey(_ context.Context, of *protocol.SenderKeyName, r *groups.SenderKey) error {
	s.senders[senderOf(of)] = r.Serialize()
	return nil
}

func senderOf(of *protocol.SenderKeyName) string { return of.GroupID() + "/" + of.Sender().String() }

// silence takes the voice of the Signal library, whose own logger writes to
// standard output. It comes before anything that uses the library.
func silence() { logger.Logger = quiet{} }

type quiet struct{}

func (quiet) Debug(_, _ string)   {}
func (quiet) Info(_, _ string)    {}
func (quiet) Warning(_, _ string) {}
func (quiet) Error(_, _ string)   {}
func (quiet) Configure(string)    {}

// must ends the test binary where the system has no random numbers.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
