import HtmlWebpackPlugin from "html-webpack-plugin";

export default {
  plugins: [new HtmlWebpackPlugin({ template: "src/index.html" })],
  // The engine is larger than the size from which webpack warns.
  performance: { hints: false },
};
