// The results of a hall: the server writes them, each language anew.
import { tools } from './tools.js';

tools(() => location.reload());
