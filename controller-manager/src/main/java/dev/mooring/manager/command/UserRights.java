package dev.mooring.manager.command;

import dev.mooring.cluster.RbacRule;
import dev.mooring.kube.AccessReviews;
import dev.mooring.kube.AccessReviews.Answer;
import dev.mooring.kube.KubeConnection;
import java.util.List;
import java.util.stream.Collectors;

final class UserRights {
  private UserRights() {}

  static void require(List<RbacRule> rights, KubeConnection connection) throws UsageException {
    AccessReviews reviews = new AccessReviews(connection);
    List<RbacRule> missing =
        rights.stream().filter(right -> reviews.check(right) == Answer.DENIED).toList();
    if (!missing.isEmpty()) {
      throw new UsageException(
          "this user lacks rights at the API server: %s: ask an administrator to grant them"
              .formatted(
                  missing.stream().map(RbacRule::toString).collect(Collectors.joining(", "))));
    }
  }
}
