import * as z from 'zod';
import { instant, sha256 } from './common.ts';

/** A file that somebody sent to this home: its own folder holds it, under a name that is safe as one. */
export const uploadSchema = z.object({
  v: z.literal(1),
  id: z.string().regex(/^upload_[0-9A-HJKMNP-TV-Z]{26}$/),
  ownerId: z.string(),
  name: z.string().min(1).max(255),
  size: z.number().int().nonnegative(),
  sha256,
  createdAt: instant,
  /** From then on it is removed, unless a plan still needs it. */
  expiresAt: instant,
});
export type Upload = z.infer<typeof uploadSchema>;

/** What may be sent, and how much of it is used. */
export const uploadLimits = z.object({
  /** Bytes of one file. */
  maxBytes: z.number().int().positive(),
  /** Files and bytes that one owner may have here at a time. */
  maxFiles: z.number().int().positive(),
  totalBytes: z.number().int().positive(),
  /** Files that one owner may begin to send within a minute. */
  perMinute: z.number().int().positive(),
  expireHours: z.number().positive(),
});
export type UploadLimits = z.infer<typeof uploadLimits>;

export const uploadList = z.object({
  uploads: z.array(uploadSchema),
  nextCursor: z.string().nullable(),
  limits: uploadLimits,
  usedBytes: z.number().int().nonnegative(),
});
export type UploadList = z.infer<typeof uploadList>;
