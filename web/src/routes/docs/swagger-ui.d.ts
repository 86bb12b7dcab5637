declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  const viewer: (options: Record<string, unknown>) => unknown;
  export default viewer;
}
