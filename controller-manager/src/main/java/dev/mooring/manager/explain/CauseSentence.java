package dev.mooring.manager.explain;

import dev.mooring.explain.Explanation;
import java.util.Set;

/** The cause of an explanation as one sentence, which has each fact once. */
final class CauseSentence {
  /** Reasons whose message has all facts of their meaning. */
  static final Set<String> SELF_CONTAINED =
      Set.of(
          "AccessModesDiffer",
          "AttributesClassDiffers",
          "Bound",
          "CannotTell",
          "ClaimAbsent",
          "ClaimOfOnePod",
          "ClassDiffers",
          "ClassIsStatic",
          "ClassMissing",
          "ExternalProvisioner",
          "MultiAttach",
          "NoVolume",
          "NodeGone",
          "Provisioning",
          "Reserved",
          "TakesDefaultClass",
          "TooSmall",
          "VolumeLost",
          "VolumeMissing",
          "VolumeModeDiffers",
          "VolumeTaken",
          "VolumesReady",
          "WaitsForConsumer",
          "WaitsForScheduling");

  private CauseSentence() {}

  static String of(Explanation e) {
    String meaning = e.cause().meaning();
    String message = e.message();
    if (message.isEmpty() || meaning.contains(message)) {
      return meaning;
    }
    return SELF_CONTAINED.contains(e.cause().code()) ? message : meaning + " (" + message + ")";
  }

  /** Returns the sentence of a cause in a chain, whose objects the chain names already. */
  static String ofLink(Explanation e) {
    return SELF_CONTAINED.contains(e.cause().code()) ? e.message() : e.cause().meaning();
  }
}
