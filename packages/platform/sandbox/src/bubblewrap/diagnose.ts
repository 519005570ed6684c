/** Settings of the kernel that keep bubblewrap from working. */
export interface KernelFacts {
  /** kernel.apparmor_restrict_unprivileged_userns is 1 (Ubuntu 23.10 and later). */
  readonly apparmorRestricts: boolean;
  /** kernel.unprivileged_userns_clone is 0 (older Debian). */
  readonly unprivilegedForbidden: boolean;
  /** user.max_user_namespaces is 0. */
  readonly noUserNamespaces: boolean;
}

/** Why an empty sandbox did not start, and what to do, from what bubblewrap wrote. */
export function diagnose(complaint: string, kernel: KernelFacts): { readonly why: string; readonly hint: string } {
  const said = complaint === '' ? 'bubblewrap failed without a word' : complaint;
  if (kernel.noUserNamespaces)
    return {
      why: `user namespaces are turned off (user.max_user_namespaces is 0): ${said}`,
      hint: 'sudo sysctl user.max_user_namespaces=15000',
    };
  if (kernel.unprivilegedForbidden)
    return {
      why: `user namespaces are kept from users (kernel.unprivileged_userns_clone is 0): ${said}`,
      hint: 'sudo sysctl kernel.unprivileged_userns_clone=1',
    };
  if (kernel.apparmorRestricts)
    return {
      why: `AppArmor keeps user namespaces from programs without a profile (kernel.apparmor_restrict_unprivileged_userns is 1): ${said}`,
      hint: 'give bwrap an AppArmor profile that allows userns (/etc/apparmor.d/bwrap), or: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0',
    };
  if (/mount proc|proc on/i.test(complaint))
    return {
      why: `a new /proc cannot be mounted, as in containers that mask theirs: ${said}`,
      hint: 'run outside the container, or start it with --security-opt systempaths=unconfined --security-opt seccomp=unconfined',
    };
  return { why: said, hint: 'run the same as root outside any container, or read the bubblewrap documentation' };
}
