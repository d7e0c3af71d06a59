/**
 * SunSpec information models that the simulated devices carry.
 * Source: github.com/sunspec/models, tag v2026-04-20 (json/model_<id>.json); offsets follow from the order.
 */
export type PointType =
  | 'int16'
  | 'uint16'
  | 'count'
  | 'acc32'
  | 'uint32'
  | 'int32'
  | 'enum16'
  | 'bitfield32'
  | 'sunssf'
  | 'string'
  | 'pad';

export interface Point {
  name: string;
  type: PointType;
  /** Registers. */
  size: number;
  /** Name of the point that holds the power of ten, or the power itself. */
  scale: string | number | null;
}

export interface Model {
  id: number;
  points: Point[];
  /** Points that repeat after the fixed ones. */
  repeating: Point[];
}

const SIZES: Record<PointType, number> = {
  int16: 1,
  uint16: 1,
  count: 1,
  acc32: 2,
  uint32: 2,
  int32: 2,
  enum16: 1,
  bitfield32: 2,
  sunssf: 1,
  string: 0,
  pad: 1,
};

/** Reads `name:type[:scale or length]` entries, blank separated. */
function points(text: string): Point[] {
  return text
    .trim()
    .split(/\s+/)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [name = '', type = 'pad', extra] = entry.split(':') as [string, PointType, string?];
      const power = extra === undefined ? null : /^-?\d+$/.test(extra) ? Number(extra) : extra;
      const size = type === 'string' ? Number(extra) : SIZES[type];
      return { name, type, size, scale: type === 'string' ? null : power };
    });
}

const model = (id: number, fixed: string, repeating = ''): Model => ({
  id,
  points: points(fixed),
  repeating: points(repeating),
});

export const COMMON = model(
  1,
  'Mn:string:16 Md:string:16 Opt:string:8 Vr:string:8 SN:string:16 DA:uint16 Pad:pad',
);

export const INVERTER_THREE_PHASE = model(
  103,
  `A:uint16:A_SF AphA:uint16:A_SF AphB:uint16:A_SF AphC:uint16:A_SF A_SF:sunssf
   PPVphAB:uint16:V_SF PPVphBC:uint16:V_SF PPVphCA:uint16:V_SF
   PhVphA:uint16:V_SF PhVphB:uint16:V_SF PhVphC:uint16:V_SF V_SF:sunssf
   W:int16:W_SF W_SF:sunssf Hz:uint16:Hz_SF Hz_SF:sunssf VA:int16:VA_SF VA_SF:sunssf
   VAr:int16:VAr_SF VAr_SF:sunssf PF:int16:PF_SF PF_SF:sunssf WH:acc32:WH_SF WH_SF:sunssf
   DCA:uint16:DCA_SF DCA_SF:sunssf DCV:uint16:DCV_SF DCV_SF:sunssf DCW:int16:DCW_SF DCW_SF:sunssf
   TmpCab:int16:Tmp_SF TmpSnk:int16:Tmp_SF TmpTrns:int16:Tmp_SF TmpOt:int16:Tmp_SF Tmp_SF:sunssf
   St:enum16 StVnd:enum16 Evt1:bitfield32 Evt2:bitfield32
   EvtVnd1:bitfield32 EvtVnd2:bitfield32 EvtVnd3:bitfield32 EvtVnd4:bitfield32`,
);

export const MULTIPLE_MPPT = model(
  160,
  'DCA_SF:sunssf DCV_SF:sunssf DCW_SF:sunssf DCWH_SF:sunssf Evt:bitfield32 N:count TmsPer:uint16',
  `ID:uint16 IDStr:string:8 DCA:uint16:DCA_SF DCV:uint16:DCV_SF DCW:uint16:DCW_SF DCWH:acc32:DCWH_SF
   Tms:uint32 Tmp:int16 DCSt:enum16 DCEvt:bitfield32`,
);

const perPhase = (name: string, type: PointType, scale: string) =>
  ['', 'PhA', 'PhB', 'PhC'].map((phase) => `${name}${phase}:${type}:${scale}`).join(' ');

export const METER_THREE_PHASE_WYE = model(
  203,
  `A:int16:A_SF AphA:int16:A_SF AphB:int16:A_SF AphC:int16:A_SF A_SF:sunssf
   PhV:int16:V_SF PhVphA:int16:V_SF PhVphB:int16:V_SF PhVphC:int16:V_SF
   PPV:int16:V_SF PhVphAB:int16:V_SF PhVphBC:int16:V_SF PhVphCA:int16:V_SF V_SF:sunssf
   Hz:int16:Hz_SF Hz_SF:sunssf
   W:int16:W_SF WphA:int16:W_SF WphB:int16:W_SF WphC:int16:W_SF W_SF:sunssf
   VA:int16:VA_SF VAphA:int16:VA_SF VAphB:int16:VA_SF VAphC:int16:VA_SF VA_SF:sunssf
   VAR:int16:VAR_SF VARphA:int16:VAR_SF VARphB:int16:VAR_SF VARphC:int16:VAR_SF VAR_SF:sunssf
   PF:int16:PF_SF PFphA:int16:PF_SF PFphB:int16:PF_SF PFphC:int16:PF_SF PF_SF:sunssf
   ${perPhase('TotWhExp', 'acc32', 'TotWh_SF')} ${perPhase('TotWhImp', 'acc32', 'TotWh_SF')} TotWh_SF:sunssf
   ${perPhase('TotVAhExp', 'acc32', 'TotVAh_SF')} ${perPhase('TotVAhImp', 'acc32', 'TotVAh_SF')} TotVAh_SF:sunssf
   ${perPhase('TotVArhImpQ1', 'acc32', 'TotVArh_SF')} ${perPhase('TotVArhImpQ2', 'acc32', 'TotVArh_SF')}
   ${perPhase('TotVArhExpQ3', 'acc32', 'TotVArh_SF')} ${perPhase('TotVArhExpQ4', 'acc32', 'TotVArh_SF')}
   TotVArh_SF:sunssf Evt:bitfield32`,
);

export const IRRADIANCE = model(302, '', 'GHI:uint16 POAI:uint16 DFI:uint16 DNI:uint16 OTI:uint16');
export const MODULE_TEMPERATURE = model(303, '', 'TmpBOM:int16:-1');
export const LOCATION = model(
  305,
  'Tm:string:6 Date:string:4 Loc:string:20 Lat:int32:-7 Long:int32:-7 Alt:int32',
);
export const METEOROLOGICAL = model(
  307,
  `TmpAmb:int16:-1 RH:int16 Pres:int16 WndSpd:int16 WndDir:int16 Rain:int16 Snw:int16 PPT:int16 ElecFld:int16
   SurWet:int16 SoilWet:int16`,
);

export const NAMEPLATE = model(
  120,
  `DERTyp:enum16 WRtg:uint16:WRtg_SF WRtg_SF:sunssf VARtg:uint16:VARtg_SF VARtg_SF:sunssf
   VArRtgQ1:int16:VArRtg_SF VArRtgQ2:int16:VArRtg_SF VArRtgQ3:int16:VArRtg_SF VArRtgQ4:int16:VArRtg_SF VArRtg_SF:sunssf
   ARtg:uint16:ARtg_SF ARtg_SF:sunssf PFRtgQ1:int16:PFRtg_SF PFRtgQ2:int16:PFRtg_SF PFRtgQ3:int16:PFRtg_SF
   PFRtgQ4:int16:PFRtg_SF PFRtg_SF:sunssf WHRtg:uint16 WHRtg_SF:sunssf AhrRtg:uint16 AhrRtg_SF:sunssf
   MaxChaRte:uint16 MaxChaRte_SF:sunssf MaxDisChaRte:uint16 MaxDisChaRte_SF:sunssf Pad:pad`,
);

/** Its values are raw, as they were written. */
export const IMMEDIATE_CONTROLS = model(
  123,
  `Conn_WinTms:uint16 Conn_RvrtTms:uint16 Conn:enum16
   WMaxLimPct:uint16 WMaxLimPct_WinTms:uint16 WMaxLimPct_RvrtTms:uint16 WMaxLimPct_RmpTms:uint16 WMaxLim_Ena:enum16
   OutPFSet:int16 OutPFSet_WinTms:uint16 OutPFSet_RvrtTms:uint16 OutPFSet_RmpTms:uint16 OutPFSet_Ena:enum16
   VArWMaxPct:int16 VArMaxPct:int16 VArAvalPct:int16
   VArPct_WinTms:uint16 VArPct_RvrtTms:uint16 VArPct_RmpTms:uint16 VArPct_Mod:enum16 VArPct_Ena:enum16
   WMaxLimPct_SF:sunssf OutPFSet_SF:sunssf VArPct_SF:sunssf`,
);

/** Raw values too; the points of its groups stand at the end. */
export const DER_AC_CONTROLS = model(
  704,
  `PFWInjEna:enum16 PFWInjRvrtEna:enum16 PFWInjRvrtTms:uint32 PFWInjRvrtRem:uint32
   PFWAbsEna:enum16 PFWAbsRvrtEna:enum16 PFWAbsRvrtTms:uint32 PFWAbsRvrtRem:uint32
   WMaxLimPctEna:enum16 WMaxLimPct:uint16 WMaxLimPctRvrt:uint16 WMaxLimPctRvrtEna:enum16
   WMaxLimPctRvrtTms:uint32 WMaxLimPctRvrtRem:uint32
   WSetEna:enum16 WSetMod:enum16 WSet:int32 WSetRvrt:int32 WSetPct:int32 WSetPctRvrt:int32
   WSetRvrtEna:enum16 WSetRvrtTms:uint32 WSetRvrtRem:uint32
   VarSetEna:enum16 VarSetMod:enum16 VarSetPri:enum16 VarSet:int32 VarSetRvrt:int32 VarSetPct:int32
   VarSetPctRvrt:int32 VarSetRvrtEna:enum16 VarSetRvrtTms:uint32 VarSetRvrtRem:uint32
   RGra:uint32 RGraRef:enum16 VarRmp:uint16
   PF_SF:sunssf WMaxLim_SF:sunssf WSet_SF:sunssf WSetPct_SF:sunssf VarSet_SF:sunssf VarSetPct_SF:sunssf
   PFWInj_PF:uint16 PFWInj_Ext:enum16 PFWInjRvrt_PF:uint16 PFWInjRvrt_Ext:enum16
   PFWAbs_PF:uint16 PFWAbs_Ext:enum16 PFWAbsRvrt_PF:uint16 PFWAbsRvrt_Ext:enum16`,
);

export const DER_CONTROL = model(
  715,
  'LocRemCtl:enum16 DERHb:uint16 ControllerHb:uint16 AlarmReset:uint16 OpCtl:enum16',
);
