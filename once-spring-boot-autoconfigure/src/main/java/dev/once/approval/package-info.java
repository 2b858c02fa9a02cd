/**
 * What people decide: who, when and why (rule P2).
 */
@NullMarked
package dev.once.approval;

import org.jspecify.annotations.NullMarked;
