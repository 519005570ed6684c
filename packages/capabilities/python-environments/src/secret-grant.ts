/** A user name and password that a person gave for named hosts. */
export interface SecretGrant {
  /** What people call it. */
  readonly name: string;
  /** `host:port`, exactly. */
  readonly hosts: readonly string[];
  readonly user: string;
  readonly password: string;
}
