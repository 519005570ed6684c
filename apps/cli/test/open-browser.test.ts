import { verifies } from '@assay/testkit';
import { expect, it } from 'vitest';
import { browserProgram } from '../src/open-browser.ts';

it('a browser is opened only where there is a screen', () => {
  verifies('cli.up-opens-page');
  expect(browserProgram('linux', { DISPLAY: ':0' })).toBe('xdg-open');
  expect(browserProgram('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toBe('xdg-open');
  expect(browserProgram('linux', { SSH_TTY: '/dev/pts/0' })).toBeUndefined();
  expect(browserProgram('darwin', {})).toBe('open');
});
