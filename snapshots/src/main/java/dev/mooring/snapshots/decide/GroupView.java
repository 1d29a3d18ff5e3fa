package dev.mooring.snapshots.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import java.util.List;
import java.util.Optional;

/**
 * All that a decision about a group rests on that is not being deleted.
 *
 * @param group the group
 * @param content the content that it names, or the one that is made for it; empty if there is none
 * @param classes every class
 * @param members its snapshots, as far as the driver has said which there are
 * @param unheld claims that its content is made of and that nothing holds
 * @param claims the claims that the selector chooses, by what the server says; empty if it was not
 *     asked
 */
public record GroupView(
    GroupSnapshot group,
    Optional<GroupSnapshotContent> content,
    List<GroupSnapshotClass> classes,
    List<GroupMember> members,
    List<Claim> unheld,
    Optional<List<SourceClaim>> claims) {
  /** The same, knowing the claims. */
  public GroupView with(List<SourceClaim> known) {
    return new GroupView(group, content, classes, members, unheld, Optional.of(List.copyOf(known)));
  }

  /** The name of the content that counts for a group. */
  public static String nameOfContent(GroupSnapshot group) {
    return group.sourceContent().isEmpty() ? group.nameOfOwnContent() : group.sourceContent();
  }
}
