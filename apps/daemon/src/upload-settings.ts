import type { Config, UploadStoreOptions } from '@assay/engine';

/** What may be sent to this home, from the configuration. */
export function uploadSettings({ uploads }: Config): Pick<UploadStoreOptions, 'limits' | 'keepFreeBytes'> {
  return {
    limits: {
      maxBytes: uploads.max_bytes,
      maxFiles: uploads.max_files,
      totalBytes: uploads.total_bytes,
      perMinute: uploads.per_minute,
      expireHours: uploads.expire_hours,
    },
    keepFreeBytes: uploads.keep_free_bytes,
  };
}
