export { AllowList } from './allow-list.ts';
export { isPublicAddress } from './address-policy.ts';
export { type EgressHost, type EgressRecord, type EgressSummary } from './connection-log.ts';
export { createEgressProxy, type EgressProxy, type EgressProxyOptions } from './egress-proxy.ts';
export { hostPortText, normalHost, parseHostPort, type HostPort } from './host-name.ts';
export {
  defaultEgressLimits,
  type EgressLimits,
  type EgressPolicy,
  type HostCredential,
  type TlsTarget,
  type UpstreamProxies,
} from './policy.ts';
export { UpstreamChoice } from './upstream.ts';
