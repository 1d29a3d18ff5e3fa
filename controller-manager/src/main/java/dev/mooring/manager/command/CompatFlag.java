package dev.mooring.manager.command;

import dev.mooring.protection.UnusedCondition;
import dev.mooring.reconcile.Compat;
import java.util.Arrays;
import java.util.Iterator;
import picocli.CommandLine;

/**
 * Values of {@code --compat}. A value with a release has the feature gates' defaults of that
 * release of Kubernetes. {@code kcm} is the release of the recorded scenarios.
 */
enum CompatFlag {
  NONE("none", Compat.MOORING, false),
  KCM("kcm", Compat.KUBERNETES, false),
  KCM_1_36("kcm-1.36", Compat.KUBERNETES, false),
  KCM_1_37("kcm-1.37", Compat.KUBERNETES, true);

  private final String value;
  private final Compat compat;
  private final boolean unusedClaims;

  CompatFlag(String value, Compat compat, boolean unusedClaims) {
    this.value = value;
    this.compat = compat;
    this.unusedClaims = unusedClaims;
  }

  Compat compat() {
    return compat;
  }

  /** Returns the default of the gate {@code PersistentVolumeClaimUnusedSinceTime}. */
  boolean unusedClaims() {
    return unusedClaims;
  }

  /** Returns the claims that get the condition if the gate is on. */
  UnusedCondition unusedCondition() {
    return switch (this) {
      case NONE, KCM_1_37 -> UnusedCondition.BOUND_CLAIMS;
      case KCM, KCM_1_36 -> UnusedCondition.ALL_CLAIMS;
    };
  }

  @Override
  public String toString() {
    return value;
  }

  static CompatFlag parse(String text) {
    for (CompatFlag flag : values()) {
      if (flag.value.equals(text)) {
        return flag;
      }
    }
    throw new CommandLine.TypeConversionException(
        "expected one of %s but was '%s'".formatted(String.join(", ", new Values()), text));
  }

  static final class Values implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(values()).map(CompatFlag::toString).iterator();
    }
  }
}
