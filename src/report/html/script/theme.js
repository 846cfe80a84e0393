// Light and dark: as the screen has it, until it is chosen.

function rememberedTheme() {
  try {
    return localStorage.getItem('alloclab-theme');
  } catch {
    return null;
  }
}

function useTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  document.getElementById('theme').textContent = isDark() ? 'Light' : 'Dark';
}

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function changeTheme() {
  const theme = isDark() ? 'light' : 'dark';
  useTheme(theme);
  try {
    localStorage.setItem('alloclab-theme', theme);
  } catch {
    // A page from a file may have no storage; then the theme lasts as long as the page.
  }
}

