import { createWorker } from './link/worker.js';

const worker = createWorker();

// Chrome wakes a suspended worker only for listeners registered in its first turn.
chrome.runtime.onInstalled.addListener(worker.installed);
chrome.runtime.onStartup.addListener(worker.wake);
chrome.runtime.onMessage.addListener(worker.asked);
chrome.runtime.onConnect.addListener(worker.watched);
chrome.alarms.onAlarm.addListener(worker.wake);
chrome.storage.onChanged.addListener((changes) => worker.storageChanged(Object.keys(changes)));
chrome.windows.onFocusChanged.addListener(worker.windowFocused);
chrome.commands.onCommand.addListener(worker.commanded);
chrome.contextMenus.onClicked.addListener(({ menuItemId }) => worker.menuChosen(menuItemId));
chrome.webNavigation.onCommitted.addListener(worker.navigated, { url: [{ pathEquals: '/app/pair' }] });
chrome.webNavigation.onReferenceFragmentUpdated.addListener(worker.navigated, {
  url: [{ pathEquals: '/app/pair' }],
});

worker.start();
