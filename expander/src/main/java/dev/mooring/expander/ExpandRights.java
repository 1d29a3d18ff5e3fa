package dev.mooring.expander;

import static dev.mooring.cluster.Right.Verb.GET;
import static dev.mooring.cluster.Right.Verb.PATCH;

import dev.mooring.cluster.Rights;
import dev.mooring.model.Kind;

/** RBAC rights of the expand controller. */
public final class ExpandRights {
  public static final Rights ALL =
      Rights.to("growing volumes")
          .may(Kind.VOLUME, GET, PATCH)
          .mayStatus(Kind.CLAIM, PATCH)
          .mayTell();

  private ExpandRights() {}
}
