package whatsapp

import (
	"sync"

	"go.mau.fi/libsignal/logger"
	wastore "go.mau.fi/whatsmeow/store"
	"google.golang.org/protobuf/proto"
)

// tuneLibrary sets, once, what the library keeps in variables of its own: the name
// under which the phone lists us, how little of its history it is to send, and a
// logger that does not print.
var tuneLibrary = sync.OnceFunc(func() {
	logger.Logger = silence{}
	props := wastore.DeviceProps
	props.Os = proto.String("Nacre")
	history := props.HistorySyncConfig
	history.FullSyncDaysLimit = proto.Uint32(1)
	history.FullSyncSizeMbLimit = proto.Uint32(1)
	history.StorageQuotaMb = proto.Uint32(1)
	history.RecentSyncDaysLimit = proto.Uint32(1)
	history.ThumbnailSyncDaysLimit = proto.Uint32(0)
	history.InitialSyncMaxMessagesPerChat = proto.Uint32(1)
	history.SupportCallLogHistory = proto.Bool(false)
	history.SupportGroupHistory = proto.Bool(false)
	history.SupportBotUserAgentChatHistory = proto.Bool(false)
	history.SupportFbidBotChatHistory = proto.Bool(false)
	history.SupportManusHistory = proto.Bool(false)
	history.SupportHatchHistory = proto.Bool(false)
})
