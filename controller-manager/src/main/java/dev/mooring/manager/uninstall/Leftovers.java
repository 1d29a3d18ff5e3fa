package dev.mooring.manager.uninstall;

import dev.mooring.cluster.OwnMark;
import dev.mooring.manager.uninstall.Leftover.Fate;
import dev.mooring.manager.uninstall.Leftover.What;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.Migration;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.provisioner.ProvisionMarks;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What of Mooring's is on an object, and what becomes of it. Pure. */
public final class Leftovers {
  private static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";

  private Leftovers() {}

  /** On a claim. */
  public static List<Leftover> on(Claim claim) {
    List<Leftover> all = new ArrayList<>();
    for (OwnMark mark : OwnMarks.of(Kind.CLAIM)) {
      if (isOn(claim.meta(), mark)) {
        all.add(judged(claim, mark));
      }
    }
    for (Claim.Condition condition : claim.status().conditions()) {
      if (isOwn(condition)) {
        all.add(
            new Leftover(
                Kind.CLAIM,
                claim.meta().key(),
                What.condition(condition.type()),
                Fate.GOES,
                "nobody else brings it up to date"));
      }
    }
    return all;
  }

  private static boolean isOn(Meta meta, OwnMark mark) {
    return switch (mark.place()) {
      case FINALIZER -> meta.finalizers().contains(mark.text());
      case ANNOTATION -> meta.has(mark.text());
      case LABEL -> meta.labels().containsKey(mark.text());
    };
  }

  private static Leftover judged(Claim claim, OwnMark mark) {
    boolean hinders = mark.equals(ProvisionMarks.BEING_MADE);
    return new Leftover(
        Kind.CLAIM,
        claim.meta().key(),
        What.of(mark),
        hinders ? Fate.GOES : Fate.STAYS,
        mark.meaning() + (hinders ? unnamed(claim) : ""));
  }

  /** Whether a condition is Mooring's. */
  static boolean isOwn(Claim.Condition condition) {
    return condition.type().startsWith(OwnMark.PREFIX);
  }

  private static String unnamed(Claim claim) {
    if (!claim.volumeName().isEmpty()) {
      return "";
    }
    String moved = claim.meta().annotation(Migration.MIGRATED_TO);
    String provisioner = moved.isEmpty() ? claim.meta().annotation(PROVISIONER) : moved;
    return "; a volume may have been made for it that no object names: look for "
        + claim.meta().uid()
        + (provisioner.isEmpty() ? " in the storage" : " in the storage of " + provisioner);
  }

  /**
   * On a volume.
   *
   * @param givenBack names of provisioners whose volumes go to one that knows no finalizers
   */
  public static List<Leftover> on(Volume volume, Set<String> givenBack) {
    List<Leftover> all = new ArrayList<>();
    if (volume.finalizers().contains(ProvisionMarks.FINALIZER)
        && givenBack.contains(volume.meta().annotation(ProvisionMarks.PROVISIONED_BY))) {
      all.add(givenBack(volume));
    }
    for (OwnMark mark : OwnMarks.of(Kind.VOLUME)) {
      if (isOn(volume.meta(), mark)) {
        all.add(judged(volume, mark));
      }
    }
    return all;
  }

  private static Leftover givenBack(Volume volume) {
    boolean going = volume.meta().isBeingDeleted();
    return new Leftover(
        Kind.VOLUME,
        volume.meta().key(),
        new What(OwnMark.Place.FINALIZER.toString(), ProvisionMarks.FINALIZER),
        going ? Fate.LOOK : Fate.GOES,
        going
            ? "it is being deleted, and without the finalizer would go before what it stands for: take that off by hand once this is destroyed, or kept on purpose"
            : "whoever has the volume next does not take it off, and it could never go");
  }

  private static Leftover judged(Volume volume, OwnMark mark) {
    Fate fate = Fate.STAYS;
    String why = mark.meaning();
    boolean spares =
        mark.equals(ProvisionMarks.TAKEN_BY) || mark.equals(ProvisionMarks.NEVER_BOUND);
    if (spares && !keeps(volume)) {
      fate = Fate.GOES;
      why = "it keeps nothing from being destroyed (any more)";
    } else if (spares) {
      fate = Fate.LOOK;
      why +=
          "; others do not read that: before another provisioner has its volumes, set its reclaim policy to Retain";
    }
    return new Leftover(Kind.VOLUME, volume.meta().key(), What.of(mark), fate, why);
  }

  /** Whether what the volume stands for would be destroyed without the mark. */
  private static boolean keeps(Volume volume) {
    return volume.reclaimPolicy() == ReclaimPolicy.DELETE && ProvisionMarks.saysKept(volume);
  }

  /**
   * A pod that empties a volume.
   *
   * @param volume the volume's name
   */
  static Leftover recycler(ObjectKey pod, String volume) {
    return new Leftover(
        Kind.POD,
        pod,
        Leftover.WHOLE,
        Fate.GOES,
        "it empties volume "
            + volume
            + ", and whoever recycles it next does not know: both would be at work");
  }

  /**
   * A pod that a plugin has had work on a node.
   *
   * @param component what it is for, as its label says
   */
  static Leftover helper(ObjectKey pod, String component) {
    return new Leftover(
        Kind.POD,
        pod,
        Leftover.WHOLE,
        Fate.GOES,
        "a plugin has made it as "
            + component
            + " and nobody waits for its end; whoever has its volume next would be at work beside it");
  }

  /** The Lease. */
  static Leftover lease(ObjectKey lease) {
    return new Leftover(
        Kind.LEASE, lease, Leftover.WHOLE, Fate.GOES, "nobody else stands for that election");
  }
}
