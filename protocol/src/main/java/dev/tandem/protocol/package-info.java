/**
 * The contract as data: loads and checks the JSON files of extension/protocol. Called by every
 * other module for tools, errors, limits, routes and messages. Never opens a socket, starts a
 * thread or keeps state that changes.
 */
@NullMarked
package dev.tandem.protocol;

import org.jspecify.annotations.NullMarked;
