// The two well-known CDP libraries, unchanged, on the hub's legacy door; prints what they saw as JSON.
// usage: node cdp-client.mjs playwright|puppeteer <hub url> <token> <page url> <next url>
const [, , kind, hub, token, here, there] = process.argv;
const headers = { Authorization: `Bearer ${token}` };
const refusal = (/** @type {Promise<unknown>} */ work) => work.then(() => 'allowed', (error) => String(error.message));

/** What a test asks of either library. @param {any} page */
async function drive(page) {
  const title = await page.title();
  await page.click('#add');
  const count = await page.$eval('#count', (/** @type {any} */ element) => element.textContent);
  await page.focus('#name');
  await page.keyboard.type('Ada');
  const name = await page.$eval('#name', (/** @type {any} */ element) => element.value);
  const picture = (await page.screenshot()).length;
  await page.goto(there);
  return { title, count, name, picture, next: await page.title(), own: await refusal(page.goto(`${hub}/app/pair`)) };
}

async function playwright() {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.connectOverCDP(`${hub}/cdp`, { headers });
  const [context] = browser.contexts();
  const urls = context.pages().map((page) => page.url());
  const page = context.pages().find((each) => each.url() === here);
  const seen = await drive(page);
  const cookies = await refusal(context.cookies());
  const routed = await refusal(context.pages()[0].route('**/*', (route) => route.abort()));
  const fresh = await context.newPage();
  await fresh.goto(here);
  const opened = await fresh.title();
  await fresh.close();
  await browser.close();
  return { urls, ...seen, cookies, routed, opened };
}

async function puppeteer() {
  const { default: library } = await import('puppeteer-core');
  const browser = await library.connect({ browserWSEndpoint: `${hub.replace('http', 'ws')}/cdp`, headers, defaultViewport: null });
  const pages = await browser.pages();
  const urls = pages.map((page) => page.url());
  const page = pages.find((each) => each.url() === here);
  const seen = await drive(page);
  const cookies = await refusal(browser.cookies());
  const routed = await refusal(pages[0].setRequestInterception(true));
  const fresh = await browser.newPage();
  await fresh.goto(here);
  const opened = await fresh.title();
  await fresh.close();
  await browser.disconnect();
  return { urls, ...seen, cookies, routed, opened };
}

setTimeout(() => process.exit(3), 60_000).unref();
console.log(JSON.stringify(await { playwright, puppeteer }[kind]()));
