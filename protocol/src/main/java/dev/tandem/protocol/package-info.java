/** The contract as data: loads and checks the JSON files of extension/protocol. */
@NullMarked
package dev.tandem.protocol;

import org.jspecify.annotations.NullMarked;
