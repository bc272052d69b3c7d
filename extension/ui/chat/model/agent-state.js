/**
 * @typedef {{ id: string, name: string, description?: string, provider?: string }} Choice
 * @typedef {{ choices: Choice[], current?: string }} Picker
 *
 * @typedef {object} AgentState what the agent says of itself
 * @property {any[]} [configOptions]
 * @property {any} [modes]
 * @property {any} [models]
 * @property {any[]} [availableCommands]
 * @property {{ used?: number, size?: number, cost?: { amount: number, currency: string } }} [usage]
 */

/**
 * @param {AgentState} state
 * @param {any} update of the live stream
 * @returns {AgentState}
 */
export function afterUpdate(state, update) {
  switch (update?.sessionUpdate) {
    case 'available_commands_update':
      return { ...state, availableCommands: update.availableCommands };
    case 'config_option_update':
      return { ...state, configOptions: update.configOptions };
    case 'current_mode_update':
      return state.modes ? { ...state, modes: { ...state.modes, currentModeId: update.currentModeId } } : state;
    case 'usage_update':
      return { ...state, usage: { used: update.used, size: update.size, cost: update.cost } };
    default:
      return state;
  }
}

/** Options may be a list or groups of lists; a group's name is what its choices have in common. @param {any[]} options */
export function flatOptions(options = []) {
  return options.flatMap((option) =>
    Array.isArray(option.options)
      ? option.options.map((/** @type {any} */ one) => ({ ...one, provider: option.name ?? option.group }))
      : [option],
  );
}

/** @param {any} option @returns {Picker} */
const pickerOf = (option) => ({
  choices: flatOptions(option.options).map(({ value, name, description, provider }) => ({ id: value, name: name ?? value, description, provider })),
  current: option.currentValue,
});

/**
 * The models, in whichever spelling the agent gives them; a config option wins.
 *
 * @param {AgentState} state
 * @returns {Picker | undefined}
 */
export function modelPicker({ configOptions, models }) {
  const option = configOptions?.find(({ category, type }) => category === 'model' && type === 'select');
  if (option) return pickerOf(option);
  if (!models?.availableModels?.length) return undefined;
  return {
    choices: models.availableModels.map((/** @type {any} */ model) => ({ id: model.modelId ?? model.id, name: model.name ?? model.displayName ?? model.modelId ?? model.id, description: model.description, provider: model.provider })),
    current: models.currentModelId,
  };
}

/** The agent's own modes, shown only where it has no config options. @param {AgentState} state @returns {Picker | undefined} */
export function modePicker({ configOptions, modes }) {
  if (configOptions?.length || !modes?.availableModes?.length) return undefined;
  return { choices: modes.availableModes.map((/** @type {any} */ { id, name, description }) => ({ id, name: name ?? id, description })), current: modes.currentModeId };
}

/**
 * Its other options, in its order; types nobody knows are left out.
 *
 * @param {AgentState} state
 * @returns {({ id: string, name: string, description?: string } & ({ picker: Picker } | { on: boolean }))[]}
 */
export function optionPickers({ configOptions = [] }) {
  return configOptions
    .filter(({ category, type }) => (type === 'select' && category !== 'model') || type === 'boolean')
    .map(({ id, name, description, ...option }) =>
      option.type === 'boolean'
        ? { id, name: name ?? id, description, on: option.currentValue === true }
        : { id, name: name ?? id, description, picker: pickerOf(option) },
    );
}
