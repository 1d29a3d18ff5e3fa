package dev.mooring.snapshots.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import java.util.List;
import java.util.Optional;

/**
 * Inputs of a decision about a group that is not being deleted.
 *
 * @param content the named content, or the content created for the group; empty if it does not
 *     exist
 * @param classes every class
 * @param members members that the driver has reported
 * @param unheldClaims source claims of the content without our finalizer
 * @param claims claims that the selector matches; empty if they have not been read
 */
public record GroupView(
    GroupSnapshot group,
    Optional<GroupSnapshotContent> content,
    List<GroupSnapshotClass> classes,
    List<GroupMember> members,
    List<Claim> unheldClaims,
    Optional<List<SourceClaim>> claims) {
  public GroupView withClaims(List<SourceClaim> sourceClaims) {
    return new GroupView(
        group, content, classes, members, unheldClaims, Optional.of(List.copyOf(sourceClaims)));
  }

  public static String contentName(GroupSnapshot group) {
    return group.sourceContent().isEmpty() ? group.generatedContentName() : group.sourceContent();
  }
}
