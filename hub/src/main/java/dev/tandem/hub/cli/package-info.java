/**
 * The /cli door: runs one command line inside the warm hub and streams its output and exit code to
 * the launcher. It proves which process calls, and lets descendants of a session act as that
 * session only.
 */
@NullMarked
package dev.tandem.hub.cli;

import org.jspecify.annotations.NullMarked;
