declare module 'portal-module' {
  const module: import('@portal/sdk').PortalModule
  export default module
}

interface ImportMeta {
  webpackHot: import('./hot.ts').Hot
}
