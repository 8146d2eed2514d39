//! The one table of opcodes: names, operands, stack effects, control flow.
//!
//! Serves the reader, the printer, the analyses and whoever executes instructions. What an instruction does beyond its effect
//! on the shape of the stack is not here.

/// The kinds of operand an opcode has in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// No operand.
    None,
    /// No bytes: the opcode itself means this number.
    FixedValue(i8),
    /// No bytes: the opcode itself means this local variable.
    FixedLocal(u8),
    /// A signed byte.
    Byte,
    /// A signed number of two bytes.
    Short,
    /// The element type of a primitive array, 4 to 11.
    ArrayType,
    /// A local variable: one byte, two after `wide`.
    Local,
    /// A local variable and a signed number: one byte each, two each after `wide`.
    Increment,
    /// A constant of one slot by a short index: int, float, string, class, method type or handle, dynamic.
    Loadable1,
    /// The same by a long index.
    Loadable,
    /// A long, a double or a dynamic constant of two slots.
    Loadable2,
    /// A field.
    Field,
    /// A method of a class.
    Method,
    /// A method of a class or interface.
    AnyMethod,
    /// A method of an interface, with the number of argument slots.
    InterfaceMethod,
    /// A dynamic call site.
    CallSite,
    /// A class, interface or array type.
    Class,
    /// An array type and the number of dimensions to make.
    MultiArray,
    /// A jump of two bytes.
    Branch,
    /// A jump of four bytes.
    WideBranch,
    /// The table of a `tableswitch`.
    TableSwitch,
    /// The pairs of a `lookupswitch`.
    LookupSwitch,
    /// Another opcode, whose operands are wider.
    Wide,
}

/// Where control goes after an instruction, apart from exceptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next instruction.
    Next,
    /// To the next instruction or to the target.
    Branch,
    /// To the target.
    Goto,
    /// To one of the targets of a switch.
    Switch,
    /// Out of the method.
    Return,
    /// To a handler or out of the method.
    Throw,
    /// To a subroutine, which may come back to the next instruction.
    Jsr,
    /// Back from a subroutine.
    Ret,
}

impl Flow {
    /// Whether the next instruction may follow.
    pub fn falls_through(self) -> bool {
        matches!(self, Flow::Next | Flow::Branch | Flow::Jsr)
    }
}

/// What the table says about an opcode.
///
/// Stack effects are letters, the top of the stack last: `I`, `J`, `F`, `D` as in descriptors, `A` a reference, `R` a return
/// address, `S` any value of one slot, `W` any two slots (one long or double, or two values), `*` what the operand says.
/// `astore` also takes a return address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpcodeInfo {
    /// The name in the specification.
    pub name: &'static str,
    /// The operands.
    pub operands: OperandKind,
    /// What it takes from the stack.
    pub pops: &'static str,
    /// What it puts on the stack.
    pub pushes: &'static str,
    /// Where control goes.
    pub flow: Flow,
}

/// The first byte of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Opcode(pub u8);

impl Opcode {
    /// What the table says. An opcode that no class file may hold is `illegal`, without effect.
    pub const fn info(self) -> &'static OpcodeInfo {
        match (self.0 as usize) < TABLE.len() {
            true => &TABLE[self.0 as usize],
            false => &ILLEGAL,
        }
    }

    /// Whether a class file may hold this opcode.
    pub const fn is_legal(self) -> bool {
        (self.0 as usize) < TABLE.len()
    }

    /// The name in the specification.
    pub fn name(self) -> &'static str {
        self.info().name
    }
}

const ILLEGAL: OpcodeInfo = OpcodeInfo {
    name: "illegal",
    operands: OperandKind::None,
    pops: "",
    pushes: "",
    flow: Flow::Next,
};

/// One row per opcode, in order: number, constant, name, operands, pops, pushes, flow.
macro_rules! opcodes {
    ($($number:literal $constant:ident $name:literal $operands:ident $(($fixed:literal))? $pops:literal $pushes:literal $flow:ident)*) => {
        impl Opcode {
            $(#[doc = concat!("`", $name, "`")] pub const $constant: Opcode = Opcode($number);)*
        }

        const TABLE: [OpcodeInfo; 202] = [$(OpcodeInfo {
            name: $name,
            operands: OperandKind::$operands $(($fixed))?,
            pops: $pops,
            pushes: $pushes,
            flow: Flow::$flow,
        }),*];
    };
}

opcodes! {
    0 NOP "nop" None "" "" Next
    1 ACONST_NULL "aconst_null" None "" "A" Next
    2 ICONST_M1 "iconst_m1" FixedValue(-1) "" "I" Next
    3 ICONST_0 "iconst_0" FixedValue(0) "" "I" Next
    4 ICONST_1 "iconst_1" FixedValue(1) "" "I" Next
    5 ICONST_2 "iconst_2" FixedValue(2) "" "I" Next
    6 ICONST_3 "iconst_3" FixedValue(3) "" "I" Next
    7 ICONST_4 "iconst_4" FixedValue(4) "" "I" Next
    8 ICONST_5 "iconst_5" FixedValue(5) "" "I" Next
    9 LCONST_0 "lconst_0" FixedValue(0) "" "J" Next
    10 LCONST_1 "lconst_1" FixedValue(1) "" "J" Next
    11 FCONST_0 "fconst_0" FixedValue(0) "" "F" Next
    12 FCONST_1 "fconst_1" FixedValue(1) "" "F" Next
    13 FCONST_2 "fconst_2" FixedValue(2) "" "F" Next
    14 DCONST_0 "dconst_0" FixedValue(0) "" "D" Next
    15 DCONST_1 "dconst_1" FixedValue(1) "" "D" Next
    16 BIPUSH "bipush" Byte "" "I" Next
    17 SIPUSH "sipush" Short "" "I" Next
    18 LDC "ldc" Loadable1 "" "*" Next
    19 LDC_W "ldc_w" Loadable "" "*" Next
    20 LDC2_W "ldc2_w" Loadable2 "" "*" Next
    21 ILOAD "iload" Local "" "I" Next
    22 LLOAD "lload" Local "" "J" Next
    23 FLOAD "fload" Local "" "F" Next
    24 DLOAD "dload" Local "" "D" Next
    25 ALOAD "aload" Local "" "A" Next
    26 ILOAD_0 "iload_0" FixedLocal(0) "" "I" Next
    27 ILOAD_1 "iload_1" FixedLocal(1) "" "I" Next
    28 ILOAD_2 "iload_2" FixedLocal(2) "" "I" Next
    29 ILOAD_3 "iload_3" FixedLocal(3) "" "I" Next
    30 LLOAD_0 "lload_0" FixedLocal(0) "" "J" Next
    31 LLOAD_1 "lload_1" FixedLocal(1) "" "J" Next
    32 LLOAD_2 "lload_2" FixedLocal(2) "" "J" Next
    33 LLOAD_3 "lload_3" FixedLocal(3) "" "J" Next
    34 FLOAD_0 "fload_0" FixedLocal(0) "" "F" Next
    35 FLOAD_1 "fload_1" FixedLocal(1) "" "F" Next
    36 FLOAD_2 "fload_2" FixedLocal(2) "" "F" Next
    37 FLOAD_3 "fload_3" FixedLocal(3) "" "F" Next
    38 DLOAD_0 "dload_0" FixedLocal(0) "" "D" Next
    39 DLOAD_1 "dload_1" FixedLocal(1) "" "D" Next
    40 DLOAD_2 "dload_2" FixedLocal(2) "" "D" Next
    41 DLOAD_3 "dload_3" FixedLocal(3) "" "D" Next
    42 ALOAD_0 "aload_0" FixedLocal(0) "" "A" Next
    43 ALOAD_1 "aload_1" FixedLocal(1) "" "A" Next
    44 ALOAD_2 "aload_2" FixedLocal(2) "" "A" Next
    45 ALOAD_3 "aload_3" FixedLocal(3) "" "A" Next
    46 IALOAD "iaload" None "AI" "I" Next
    47 LALOAD "laload" None "AI" "J" Next
    48 FALOAD "faload" None "AI" "F" Next
    49 DALOAD "daload" None "AI" "D" Next
    50 AALOAD "aaload" None "AI" "A" Next
    51 BALOAD "baload" None "AI" "I" Next
    52 CALOAD "caload" None "AI" "I" Next
    53 SALOAD "saload" None "AI" "I" Next
    54 ISTORE "istore" Local "I" "" Next
    55 LSTORE "lstore" Local "J" "" Next
    56 FSTORE "fstore" Local "F" "" Next
    57 DSTORE "dstore" Local "D" "" Next
    58 ASTORE "astore" Local "A" "" Next
    59 ISTORE_0 "istore_0" FixedLocal(0) "I" "" Next
    60 ISTORE_1 "istore_1" FixedLocal(1) "I" "" Next
    61 ISTORE_2 "istore_2" FixedLocal(2) "I" "" Next
    62 ISTORE_3 "istore_3" FixedLocal(3) "I" "" Next
    63 LSTORE_0 "lstore_0" FixedLocal(0) "J" "" Next
    64 LSTORE_1 "lstore_1" FixedLocal(1) "J" "" Next
    65 LSTORE_2 "lstore_2" FixedLocal(2) "J" "" Next
    66 LSTORE_3 "lstore_3" FixedLocal(3) "J" "" Next
    67 FSTORE_0 "fstore_0" FixedLocal(0) "F" "" Next
    68 FSTORE_1 "fstore_1" FixedLocal(1) "F" "" Next
    69 FSTORE_2 "fstore_2" FixedLocal(2) "F" "" Next
    70 FSTORE_3 "fstore_3" FixedLocal(3) "F" "" Next
    71 DSTORE_0 "dstore_0" FixedLocal(0) "D" "" Next
    72 DSTORE_1 "dstore_1" FixedLocal(1) "D" "" Next
    73 DSTORE_2 "dstore_2" FixedLocal(2) "D" "" Next
    74 DSTORE_3 "dstore_3" FixedLocal(3) "D" "" Next
    75 ASTORE_0 "astore_0" FixedLocal(0) "A" "" Next
    76 ASTORE_1 "astore_1" FixedLocal(1) "A" "" Next
    77 ASTORE_2 "astore_2" FixedLocal(2) "A" "" Next
    78 ASTORE_3 "astore_3" FixedLocal(3) "A" "" Next
    79 IASTORE "iastore" None "AII" "" Next
    80 LASTORE "lastore" None "AIJ" "" Next
    81 FASTORE "fastore" None "AIF" "" Next
    82 DASTORE "dastore" None "AID" "" Next
    83 AASTORE "aastore" None "AIA" "" Next
    84 BASTORE "bastore" None "AII" "" Next
    85 CASTORE "castore" None "AII" "" Next
    86 SASTORE "sastore" None "AII" "" Next
    87 POP "pop" None "S" "" Next
    88 POP2 "pop2" None "W" "" Next
    89 DUP "dup" None "S" "SS" Next
    90 DUP_X1 "dup_x1" None "SS" "SSS" Next
    91 DUP_X2 "dup_x2" None "WS" "SWS" Next
    92 DUP2 "dup2" None "W" "WW" Next
    93 DUP2_X1 "dup2_x1" None "SW" "WSW" Next
    94 DUP2_X2 "dup2_x2" None "WW" "WWW" Next
    95 SWAP "swap" None "SS" "SS" Next
    96 IADD "iadd" None "II" "I" Next
    97 LADD "ladd" None "JJ" "J" Next
    98 FADD "fadd" None "FF" "F" Next
    99 DADD "dadd" None "DD" "D" Next
    100 ISUB "isub" None "II" "I" Next
    101 LSUB "lsub" None "JJ" "J" Next
    102 FSUB "fsub" None "FF" "F" Next
    103 DSUB "dsub" None "DD" "D" Next
    104 IMUL "imul" None "II" "I" Next
    105 LMUL "lmul" None "JJ" "J" Next
    106 FMUL "fmul" None "FF" "F" Next
    107 DMUL "dmul" None "DD" "D" Next
    108 IDIV "idiv" None "II" "I" Next
    109 LDIV "ldiv" None "JJ" "J" Next
    110 FDIV "fdiv" None "FF" "F" Next
    111 DDIV "ddiv" None "DD" "D" Next
    112 IREM "irem" None "II" "I" Next
    113 LREM "lrem" None "JJ" "J" Next
    114 FREM "frem" None "FF" "F" Next
    115 DREM "drem" None "DD" "D" Next
    116 INEG "ineg" None "I" "I" Next
    117 LNEG "lneg" None "J" "J" Next
    118 FNEG "fneg" None "F" "F" Next
    119 DNEG "dneg" None "D" "D" Next
    120 ISHL "ishl" None "II" "I" Next
    121 LSHL "lshl" None "JI" "J" Next
    122 ISHR "ishr" None "II" "I" Next
    123 LSHR "lshr" None "JI" "J" Next
    124 IUSHR "iushr" None "II" "I" Next
    125 LUSHR "lushr" None "JI" "J" Next
    126 IAND "iand" None "II" "I" Next
    127 LAND "land" None "JJ" "J" Next
    128 IOR "ior" None "II" "I" Next
    129 LOR "lor" None "JJ" "J" Next
    130 IXOR "ixor" None "II" "I" Next
    131 LXOR "lxor" None "JJ" "J" Next
    132 IINC "iinc" Increment "" "" Next
    133 I2L "i2l" None "I" "J" Next
    134 I2F "i2f" None "I" "F" Next
    135 I2D "i2d" None "I" "D" Next
    136 L2I "l2i" None "J" "I" Next
    137 L2F "l2f" None "J" "F" Next
    138 L2D "l2d" None "J" "D" Next
    139 F2I "f2i" None "F" "I" Next
    140 F2L "f2l" None "F" "J" Next
    141 F2D "f2d" None "F" "D" Next
    142 D2I "d2i" None "D" "I" Next
    143 D2L "d2l" None "D" "J" Next
    144 D2F "d2f" None "D" "F" Next
    145 I2B "i2b" None "I" "I" Next
    146 I2C "i2c" None "I" "I" Next
    147 I2S "i2s" None "I" "I" Next
    148 LCMP "lcmp" None "JJ" "I" Next
    149 FCMPL "fcmpl" None "FF" "I" Next
    150 FCMPG "fcmpg" None "FF" "I" Next
    151 DCMPL "dcmpl" None "DD" "I" Next
    152 DCMPG "dcmpg" None "DD" "I" Next
    153 IFEQ "ifeq" Branch "I" "" Branch
    154 IFNE "ifne" Branch "I" "" Branch
    155 IFLT "iflt" Branch "I" "" Branch
    156 IFGE "ifge" Branch "I" "" Branch
    157 IFGT "ifgt" Branch "I" "" Branch
    158 IFLE "ifle" Branch "I" "" Branch
    159 IF_ICMPEQ "if_icmpeq" Branch "II" "" Branch
    160 IF_ICMPNE "if_icmpne" Branch "II" "" Branch
    161 IF_ICMPLT "if_icmplt" Branch "II" "" Branch
    162 IF_ICMPGE "if_icmpge" Branch "II" "" Branch
    163 IF_ICMPGT "if_icmpgt" Branch "II" "" Branch
    164 IF_ICMPLE "if_icmple" Branch "II" "" Branch
    165 IF_ACMPEQ "if_acmpeq" Branch "AA" "" Branch
    166 IF_ACMPNE "if_acmpne" Branch "AA" "" Branch
    167 GOTO "goto" Branch "" "" Goto
    168 JSR "jsr" Branch "" "R" Jsr
    169 RET "ret" Local "" "" Ret
    170 TABLESWITCH "tableswitch" TableSwitch "I" "" Switch
    171 LOOKUPSWITCH "lookupswitch" LookupSwitch "I" "" Switch
    172 IRETURN "ireturn" None "I" "" Return
    173 LRETURN "lreturn" None "J" "" Return
    174 FRETURN "freturn" None "F" "" Return
    175 DRETURN "dreturn" None "D" "" Return
    176 ARETURN "areturn" None "A" "" Return
    177 RETURN "return" None "" "" Return
    178 GETSTATIC "getstatic" Field "" "*" Next
    179 PUTSTATIC "putstatic" Field "*" "" Next
    180 GETFIELD "getfield" Field "A" "*" Next
    181 PUTFIELD "putfield" Field "A*" "" Next
    182 INVOKEVIRTUAL "invokevirtual" Method "A*" "*" Next
    183 INVOKESPECIAL "invokespecial" AnyMethod "A*" "*" Next
    184 INVOKESTATIC "invokestatic" AnyMethod "*" "*" Next
    185 INVOKEINTERFACE "invokeinterface" InterfaceMethod "A*" "*" Next
    186 INVOKEDYNAMIC "invokedynamic" CallSite "*" "*" Next
    187 NEW "new" Class "" "A" Next
    188 NEWARRAY "newarray" ArrayType "I" "A" Next
    189 ANEWARRAY "anewarray" Class "I" "A" Next
    190 ARRAYLENGTH "arraylength" None "A" "I" Next
    191 ATHROW "athrow" None "A" "" Throw
    192 CHECKCAST "checkcast" Class "A" "A" Next
    193 INSTANCEOF "instanceof" Class "A" "I" Next
    194 MONITORENTER "monitorenter" None "A" "" Next
    195 MONITOREXIT "monitorexit" None "A" "" Next
    196 WIDE "wide" Wide "*" "*" Next
    197 MULTIANEWARRAY "multianewarray" MultiArray "*" "A" Next
    198 IFNULL "ifnull" Branch "A" "" Branch
    199 IFNONNULL "ifnonnull" Branch "A" "" Branch
    200 GOTO_W "goto_w" WideBranch "" "" Goto
    201 JSR_W "jsr_w" WideBranch "" "R" Jsr
}

/// How many slots of the stack letters of the table take; `None` where the operand decides.
pub fn slots(letters: &str) -> Option<u16> {
    let slot = |letter: u8| match letter {
        b'J' | b'D' | b'W' => Some(2),
        b'*' => None,
        _ => Some(1),
    };
    letters.bytes().map(slot).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_opcodes() {
        for (opcode, name) in [
            (Opcode::NOP, "nop"),
            (Opcode::LDC2_W, "ldc2_w"),
            (Opcode::SASTORE, "sastore"),
            (Opcode::IINC, "iinc"),
            (Opcode::RETURN, "return"),
            (Opcode::JSR_W, "jsr_w"),
        ] {
            assert_eq!(opcode.name(), name);
        }
        for (number, row) in TABLE.iter().enumerate() {
            assert_eq!(Opcode(number as u8).info(), row);
        }
        assert_eq!(Opcode::RETURN, Opcode(177));
        assert_eq!(Opcode::JSR_W, Opcode(201));
        assert!(!Opcode(202).is_legal() && !Opcode(255).is_legal());
    }

    #[test]
    fn slots_are_counted_by_letter() {
        assert_eq!(slots("AIJ"), Some(4));
        assert_eq!(slots(""), Some(0));
        assert_eq!(slots("A*"), None);
    }
}
