package com.example.catalogue;

import java.util.Map;
import java.util.Optional;

/**
 * A branch of the library. Each branch runs its own plugin under the same name, and leaves the
 * claims and volumes of other branches to their plugins.
 */
record Branch(String name) {
  /** Annotation of claims and volumes: the branch that serves them. Without it, every branch does. */
  static final String ANNOTATION = "example.com/branch";

  Optional<String> ignores(Map<String, String> annotations) {
    String wanted = annotations.getOrDefault(ANNOTATION, name);
    return wanted.equals(name) ? Optional.empty() : Optional.of("branch " + wanted + " serves it");
  }
}
