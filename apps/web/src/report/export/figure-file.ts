import type { Provenance } from './provenance.ts';

const HEAD = 36;
const FOOT = 28;
const SIDE = 12;
const SCALE = 2;
/** What a drawing needs to look the same without the page's style sheet. */
const KEPT = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'font-size', 'font-weight', 'font-family', 'text-anchor', 'opacity'] as const; // prettier-ignore

/** A drawing of the page as a file of its own, with its title above and what it comes from below. */
export function svgFile(drawing: SVGSVGElement, title: string, provenance: Provenance): string {
  const { width, height } = drawing.viewBox.baseVal;
  const copy = withStyles(drawing);
  const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const text = resolved(drawing, 'var(--text)');
  const dim = resolved(drawing, 'var(--text-3)');
  const background = resolved(drawing, 'var(--surface)');
  const font = colour('--font-text').replaceAll('"', "'");
  const whole = { width: Math.max(width, 360) + 2 * SIDE, height: height + HEAD + FOOT };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${whole.width} ${whole.height}" width="${whole.width}" height="${whole.height}" font-family="${escape(font)}">
<title>${escape(title)}</title>
<desc>${escape(`${provenance.title}. ${provenance.sentence}`)}</desc>
<rect width="100%" height="100%" fill="${background}"/>
<text x="${SIDE}" y="23" font-size="13" font-weight="600" fill="${text}">${escape(`${title} · ${provenance.title}`)}</text>
<g transform="translate(${SIDE} ${HEAD})">${copy.innerHTML}</g>
<text x="${SIDE}" y="${whole.height - 10}" font-size="9" fill="${dim}">${escape(provenance.sentence)}</text>
</svg>
`;
}

/** The same as pixels, at double density. */
export async function pngFile(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * SCALE;
    canvas.height = image.naturalHeight * SCALE;
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob === null ? reject(new Error('the picture could not be made')) : resolve(blob))),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

function withStyles(drawing: SVGSVGElement): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = drawing.querySelectorAll('*');
  for (const [at, element] of copy.querySelectorAll('*').entries()) {
    const style = getComputedStyle(originals[at]!);
    element.removeAttribute('class');
    element.removeAttribute('style');
    for (const name of KEPT) element.setAttribute(name, style.getPropertyValue(name));
  }
  return copy;
}

/** A custom property as the colour that it is in the theme that is shown. */
function resolved(within: Element, value: string): string {
  const probe = document.createElement('span');
  probe.style.color = value;
  within.parentElement!.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
