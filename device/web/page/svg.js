// Making SVG elements.
const space = 'http://www.w3.org/2000/svg';

// svg makes an element with attributes and children; a string child becomes text.
export function svg(name, attributes = {}, ...children) {
  const el = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) el.setAttribute(key, value);
  el.append(...children);
  return el;
}

export const move = (el, { x, y }) => { el.style.transform = `translate(${x}px, ${y}px)`; };

// stops makes a gradient whose stops take their colours from the style sheet.
export function gradient(kind, id, attributes, stops) {
  return svg(kind, { id, ...attributes }, ...stops.map(([offset, name]) => svg('stop', { offset, class: name })));
}
