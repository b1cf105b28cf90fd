export default () => globalThis.stopParts();
