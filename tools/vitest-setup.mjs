// Tests run from source; processes and worker threads that they start run from the bundle.
import { ensureBundle } from './build.mjs';

export async function setup() {
  process.env.ASSAY_BUNDLE_DIR = await ensureBundle();
}
