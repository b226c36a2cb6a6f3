// Style sheets are imported for what they do; scripts/build-page.ts bundles them.

declare module '*.css';
