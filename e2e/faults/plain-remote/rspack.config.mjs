import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'

export default {
  mode: 'production',
  context: import.meta.dirname,
  entry: {},
  resolve: { extensions: ['.jsx', '.js'] },
  module: {
    rules: [
      {
        test: /\.jsx$/,
        loader: 'builtin:swc-loader',
        options: {
          jsc: {
            parser: { syntax: 'ecmascript', jsx: true },
            transform: { react: { runtime: 'automatic' } },
          },
        },
      },
    ],
  },
  plugins: [
    new ModuleFederationPlugin({
      name: 'weather',
      filename: 'remoteEntry.js',
      exposes: { './Report': './src/Report.jsx' },
      shared: { react: { singleton: true }, 'react-dom': { singleton: true } },
      manifest: true,
      dts: false,
    }),
  ],
}
