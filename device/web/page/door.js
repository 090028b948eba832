// The pages on which somebody signs in or pairs a tablet.
import { tools } from './tools.js';

tools(() => {});
