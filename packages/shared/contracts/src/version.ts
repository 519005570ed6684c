/** Version of this program, as `assay --version` and `GET /api/health` say it. */
export const ASSAY_VERSION = '0.1.0';
