export default {
  // Up to Vite 7 the development server bundles dependencies without their workers and modules.
  optimizeDeps: { exclude: ["bartizan"] },
};
