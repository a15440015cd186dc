// The German of the page.

import page from "/de/page.js";
import server from "/de/server.js";

export { server };
export default { ...page, ...server };
