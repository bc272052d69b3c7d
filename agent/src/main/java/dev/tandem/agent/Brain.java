package dev.tandem.agent;

/** What answers a prompt: fixed skills, or a model. */
interface Brain {
    /** How it introduces itself. */
    String name();

    boolean takesImages();

    /** Answers one prompt through the turn and returns ACP's stop reason. */
    String answer(Turn turn);
}
