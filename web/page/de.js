// The German of the page, a file for each part of it.

import chat from "/de/chat.js";
import memory from "/de/memory.js";
import keeping from "/de/keeping.js";
import rooms from "/de/rooms.js";
import server from "/de/server.js";

export { server };
export default { ...chat, ...memory, ...keeping, ...rooms, ...server };
