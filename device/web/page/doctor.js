// The doctor's page, which the server writes.
import { tools } from './tools.js';

tools(() => location.reload());
