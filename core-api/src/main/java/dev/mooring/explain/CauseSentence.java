package dev.mooring.explain;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The cause of an explanation as one sentence, which has each fact once. */
public final class CauseSentence {
  /** Reasons whose message has all facts of their meaning. */
  public static final Set<String> SELF_CONTAINED =
      Set.of(
          "AccessModesDiffer",
          "AttributesClassDiffers",
          "Bound",
          "ObjectsUnreadable",
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

  public static String of(Explanation e) {
    String meaning = e.cause().meaning();
    String message = e.message();
    if (message.isEmpty() || meaning.contains(message)) {
      return meaning;
    }
    return SELF_CONTAINED.contains(e.cause().code()) ? message : meaning + " (" + message + ")";
  }

  /** Returns the sentence of a cause in a chain, whose objects the chain names already. */
  public static String ofLink(Explanation e) {
    return SELF_CONTAINED.contains(e.cause().code()) ? e.message() : e.cause().meaning();
  }

  /** Returns what a person can do about the deepest cause; "" if nothing is known. */
  public static String findRemedy(Explanation e) {
    Explanation deepest = e.deepest();
    NextStep next = e.nextStep();
    boolean isForPerson = next.actor() == StepActor.PERSON;
    String remedy =
        deepest.nextStep().actor() == StepActor.PERSON
            ? deepest.nextStep().text()
            : deepest.cause().remedy();
    if (remedy.isEmpty() && isForPerson) {
      remedy = next.text();
    }
    return isForPerson || e.isWaiting() && !remedy.equals(next.text()) ? remedy : "";
  }

  /** Returns the errors of the explanation and of its chain that its message does not have. */
  public static List<String> listErrors(Explanation e) {
    Set<String> errors = new LinkedHashSet<>(e.evidence().errors());
    e.evidence().because().forEach(link -> errors.addAll(link.evidence().errors()));
    return errors.stream().filter(error -> !e.message().contains(error)).toList();
  }
}
