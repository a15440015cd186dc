package wadouble

import (
	"bytes"
	"crypto/aes"
	modes "crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"

	"go.mau.fi/whatsmeow"
)

// macLength is how many bytes of the authentication code stand behind a file.
const macLength = 10

// mediaKeys are the keys of one file. They are derived by HKDF-SHA256 from the key
// that the message tells, with the kind of the file as info: 16 bytes for the
// initialization vector and 32 for each key; 32 more are of no use here.
type mediaKeys struct{ iv, cipher, mac []byte }

func keysOf(key []byte, kind whatsmeow.MediaType) mediaKeys {
	b, err := hkdf.Key(sha256.New, key, nil, string(kind), 112)
	must(err)
	return mediaKeys{iv: b[:16], cipher: b[16:48], mac: b[48:80]}
}

// code authenticates what was encrypted.
func (k mediaKeys) code(encrypted []byte) []byte {
	mac := hmac.New(sha256.New, k.mac)
	mac.Write(k.iv)
	mac.Write(encrypted)
	return mac.Sum(nil)[:macLength]
}

// block is AES-256, in CBC mode with PKCS #7 padding around it.
func (k mediaKeys) block() modes.Block {
	block, err := aes.NewCipher(k.cipher)
	must(err)
	return block
}

// seal encrypts a file under a new key.
func seal(kind whatsmeow.MediaType, file []byte) (Media, []byte) {
	key := make([]byte, 32)
	rand.Read(key)
	keys := keysOf(key, kind)
	n := aes.BlockSize - len(file)%aes.BlockSize
	data := append(bytes.Clone(file), bytes.Repeat([]byte{byte(n)}, n)...)
	modes.NewCBCEncrypter(keys.block(), keys.iv).CryptBlocks(data, data)
	data = append(data, keys.code(data)...)
	plain, sealed := sha256.Sum256(file), sha256.Sum256(data)
	return Media{Key: key, SHA256: plain[:], EncSHA256: sealed[:], Length: uint64(len(file))}, data
}

// unseal decrypts a file and checks all that its message tells of it.
func unseal(data []byte, of whatsmeow.DownloadableMessage) ([]byte, error) {
	if sum := sha256.Sum256(data); !bytes.Equal(sum[:], of.GetFileEncSHA256()) {
		return nil, errors.New("the encrypted file has another hash")
	}
	keys := keysOf(of.GetMediaKey(), whatsmeow.GetMediaType(of))
	end := len(data) - macLength
	if end <= 0 || end%aes.BlockSize != 0 || !hmac.Equal(data[end:], keys.code(data[:end])) {
		return nil, errors.New("the file is not authentic")
	}
	file := make([]byte, end)
	modes.NewCBCDecrypter(keys.block(), keys.iv).CryptBlocks(file, data[:end])
	n := int(file[end-1])
	if n == 0 || n > aes.BlockSize || !bytes.HasSuffix(file, bytes.Repeat([]byte{byte(n)}, n)) {
		return nil, errors.New("the file has no padding")
	}
	file = file[:end-n]
	if sum := sha256.Sum256(file); !bytes.Equal(sum[:], of.GetFileSHA256()) {
		return nil, errors.New("the file has another hash")
	}
	return file, nil
}
