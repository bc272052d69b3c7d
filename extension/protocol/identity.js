// Written by scripts/protocol.mjs from identity.json.
export default {
  "extensionId": "hoblklkdnjnnnfmblkknmldhgjbmlgal"
};
