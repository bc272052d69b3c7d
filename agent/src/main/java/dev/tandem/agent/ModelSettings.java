package dev.tandem.agent;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Which model to use, from the environment: {@code ANTHROPIC_API_KEY} or an OpenAI-compatible
 * endpoint by {@code OPENAI_BASE_URL} or {@code OPENAI_API_KEY}.
 */
record ModelSettings(Kind kind, String baseUrl, String key, String model) {
    /** Keys are pasted and addresses typed: a line end or a slash too many is no reason to fail. */
    ModelSettings {
        key = key.strip();
        baseUrl = baseUrl.strip().replaceAll("/+$", "");
    }

    enum Kind {
        ANTHROPIC,
        OPENAI
    }

    static Optional<ModelSettings> of(Map<String, String> env) {
        String anthropic = env.getOrDefault("ANTHROPIC_API_KEY", "");
        String openAiUrl = env.getOrDefault("OPENAI_BASE_URL", "");
        String openAiKey = env.getOrDefault("OPENAI_API_KEY", "");
        if (!anthropic.isBlank()) {
            return Optional.of(
                    new ModelSettings(
                            Kind.ANTHROPIC,
                            env.getOrDefault("ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
                            anthropic,
                            env.getOrDefault("ANTHROPIC_MODEL", "claude-sonnet-4-5")));
        }
        if (openAiUrl.isBlank() && openAiKey.isBlank()) {
            return Optional.empty();
        }
        return Optional.of(
                new ModelSettings(
                        Kind.OPENAI,
                        openAiUrl.isBlank() ? "https://api.openai.com/v1" : openAiUrl,
                        openAiKey,
                        env.getOrDefault("OPENAI_MODEL", "gpt-4.1")));
    }

    ModelApi api() {
        return api(new ModelStream(Duration.ofSeconds(1)));
    }

    ModelApi api(ModelStream stream) {
        return switch (kind) {
            case ANTHROPIC -> new AnthropicApi(this, stream);
            case OPENAI -> new OpenAiApi(this, stream);
        };
    }

    @Override
    public String toString() {
        return kind + " " + model;
    }
}
