package dev.mooring.populator;

import dev.mooring.cluster.OwnedKey;
import dev.mooring.model.Kind;
import dev.mooring.populator.decide.PopulatorMarks;
import java.util.List;

/** Marks that the population controller sets on objects of users. */
public final class PopulationMarks {
  public static final OwnedKey HELD =
      OwnedKey.finalizer(
          Kind.CLAIM, PopulatorMarks.FINALIZER, "a populator fills a volume for the claim");

  public static final List<OwnedKey> OWN =
      List.of(
          HELD,
          OwnedKey.annotation(
              Kind.CLAIM,
              PopulatorMarks.POPULATES,
              "it is the prime claim of that claim; delete it if the population does not continue"),
          OwnedKey.annotation(
              Kind.CLAIM,
              PopulatorMarks.ON_NODE,
              "it is the selected node that the prime claim got from the user's claim"),
          OwnedKey.annotation(
              Kind.VOLUME,
              PopulatorMarks.POPULATED_FROM,
              "object that the volume was filled from"));

  private PopulationMarks() {}
}
