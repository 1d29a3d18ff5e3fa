package dev.mooring.csi.decide;

import dev.mooring.live.Question;
import dev.mooring.model.Resource;
import java.util.function.Predicate;

/**
 * Object that may use the data of a content that is about to be deleted.
 *
 * @param question reads the object
 * @param name the object's kind and name
 * @param usesData tests the live object for use of the data
 */
public record DataUser<T extends Resource>(
    Question.ObjectRead<T> question, String name, Predicate<T> usesData) {}
