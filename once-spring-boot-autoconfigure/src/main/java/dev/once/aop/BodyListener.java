package dev.once.aop;

import java.util.List;

import org.springframework.asm.Handle;

/**
 * Is told what a method's body does, and says what is known of what it gets back.
 */
interface BodyListener {

	/**
	 * A field is read.
	 * @return what it holds
	 */
	Origin read(String owner, String name, String descriptor);

	/**
	 * A field is written.
	 */
	void written(String owner, String name, Origin value);

	/**
	 * A method is called.
	 * @return what it returns
	 */
	Origin called(int opcode, String owner, String name, String descriptor, Origin receiver, List<Origin> arguments);

	/**
	 * A lambda or a method reference is made.
	 * @param method the method that it calls
	 * @param captured the values that it takes along
	 */
	void referred(Handle method, List<Origin> captured);

	/**
	 * The body returns an object.
	 */
	void returned(Origin value);

}
