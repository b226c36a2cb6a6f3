// Style sheets are imported for their effect; scripts/build-page.ts bundles them.

declare module '*.css';
