// What outside parties do wrong, around an approval and a message.
import '../canaries.js';
import '../outside.js';
import '../notification.js';
import '../organization.js';
